"""Reading the memory: from the files, or from what earlier readings found in unchanged ones."""
