"""What a visitor can download from a page."""
