"""Fast start of Jupyter Server: `launch_server.py /usr/bin/jupyter-server [ARGUMENT ...]`."""
import os
import sys
from importlib.util import find_spec

del sys.argv[0]
sys.path[0] = os.path.dirname(sys.argv[0])
# Version 1 imports this module of the classic Notebook, and with it setuptools, for a setting that
# is not used here. That would take a third of the start time.
if not find_spec('nbclassic'):
    sys.modules['notebook.services'] = None

from jupyter_server.serverapp import main  # noqa: E402

main()
