def render_text(game,g,seat): return str(g)
def render_svg(game,g,seat): return "<svg xmlns='http://www.w3.org/2000/svg'/>"
