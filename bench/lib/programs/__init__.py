"""The programs of the suite."""
