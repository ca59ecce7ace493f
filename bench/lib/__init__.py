"""What the scripts of bench/ share."""
