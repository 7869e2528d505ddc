"""Pictures: SVG elements, text that stays in its box, the look that all games share, places to click, films."""
