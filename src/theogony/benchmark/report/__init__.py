"""The leaderboard: a page, plots and tables of many results files."""
