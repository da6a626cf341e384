"""
Backend of matplotlib that displays figures as pictures. Loaded without matplotlib, which imports
the backend when it draws.
"""
import sys
from importlib.machinery import ModuleSpec

import engine_outputs as outputs


class Backend:
    """Provides the module `engine_backend` on import, which matplotlib uses as its backend."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return ModuleSpec(name, cls) if name == 'engine_backend' else None

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        module.FigureCanvas = FigureCanvasAgg
        module.show = show


class Picture:
    def __init__(self, figure):
        self.figure = figure

    def __repr__(self):
        width, height = self.figure.get_size_inches() * self.figure.dpi
        return f'<Figure size {width:.0f}x{height:.0f} with {len(self.figure.axes)} Axes>'

    def _repr_png_(self):
        import io

        picture = io.BytesIO()
        self.figure.savefig(picture, format='png', bbox_inches='tight')
        return picture.getvalue()


def show(*arguments, **options):
    """Displays the open figures, and closes them."""
    plots = sys.modules.get('matplotlib.pyplot')
    if plots is None:
        return
    try:
        for number in plots.get_fignums():
            outputs.display(Picture(plots.figure(number)))
    finally:
        plots.close('all')


sys.meta_path.append(Backend)
