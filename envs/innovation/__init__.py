"""Innovation (2011 printing, 105 cards): build a civilisation of ten ages from cards that act on one another."""
