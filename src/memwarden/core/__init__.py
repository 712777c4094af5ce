"""The pure core: records and decisions.  No file, clock, environment, process or third party here."""
