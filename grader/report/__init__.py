"""What people look at: a card, the terminal, pages; knows nothing of how marks are found."""
