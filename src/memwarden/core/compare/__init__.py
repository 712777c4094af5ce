"""Two memories compared, in the words of the memory."""
