"""What belongs to one visitor: settings, address, history, uploads."""
