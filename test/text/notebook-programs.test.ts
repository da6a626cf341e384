// Notebooks with additional data of JupyterLab, VS Code, Colab and nbdev. All of it must remain
// after loading, editing, running and saving.
import {expect, test} from 'vitest';
import {readNotebook, type Notebook} from '../../src/text/notebook/notebook.ts';
import {insertCells, withOutputs, withSource} from '../../src/text/notebook/edit.ts';
import {cellText, notebookText} from '../../src/text/notebook/serialize.ts';
import {hasNbformat, nbformatSays} from '../support/nbformat.ts';

/**
 * Form of JupyterLab: sorted keys, an indent of one space, state of widgets and of the editor in
 * the metadata.
 */
const JUPYTERLAB = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "8f2d7c1e-6a55-4c0e-9b0f-1f6f0c5a7b11",
   "metadata": {
    "editable": false,
    "jp-MarkdownHeadingCollapsed": true,
    "slideshow": {
     "slide_type": "skip"
    },
    "tags": []
   },
   "source": [
    "# Täglich"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 12,
   "id": "touched",
   "metadata": {
    "collapsed": true,
    "execution": {
     "iopub.execute_input": "2024-03-01T09:12:11.120Z",
     "shell.execute_reply": "2024-03-01T09:12:11.480Z"
    },
    "jupyter": {
     "outputs_hidden": true,
     "source_hidden": false
    },
    "scrolled": true
   },
   "outputs": [
    {
     "data": {
      "application/vnd.jupyter.widget-view+json": {
       "model_id": "0b1c",
       "version_major": 2,
       "version_minor": 0
      },
      "text/plain": [
       "IntSlider(value=1)"
      ]
     },
     "execution_count": 12,
     "metadata": {},
     "output_type": "execute_result"
    }
   ],
   "source": [
    "slider"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "Python 3 (ipykernel)",
   "language": "python",
   "name": "python3"
  },
  "language_info": {
   "codemirror_mode": {
    "name": "ipython",
    "version": 3
   },
   "file_extension": ".py",
   "mimetype": "text/x-python",
   "name": "python",
   "version": "3.11.2"
  },
  "toc-autonumbering": true,
  "widgets": {
   "application/vnd.jupyter.widget-state+json": {
    "state": {
     "0b1c": {
      "model_module": "@jupyter-widgets/controls",
      "model_module_version": "2.0.0",
      "model_name": "IntSliderModel",
      "state": {
       "value": 1
      }
     }
    },
    "version_major": 2,
    "version_minor": 0
   }
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

/**
 * Form of VS Code: a kernel named after its folder, languages in cells, no ids, no line end at the
 * end.
 */
const VS_CODE = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 1,
   "metadata": {
    "vscode": {
     "languageId": "shellscript"
    }
   },
   "outputs": [],
   "source": [
    "%%bash\\n",
    "ls"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {
    "notebookRunGroups": {
     "groupValue": "2"
    },
    "touched": true
   },
   "outputs": [],
   "source": []
  }
 ],
 "metadata": {
  "interpreter": {
   "hash": "31f2aee4e71d21fbe5cf8b01ff0e069b9275f58929596ceb00d14d90e3e16cd6"
  },
  "kernelspec": {
   "display_name": ".venv (3.12.3)",
   "language": "python",
   "name": "python3"
  },
  "language_info": {
   "name": "python",
   "version": "3.12.3"
  },
  "orig_nbformat": 4,
  "vscode": {
   "interpreter": {
    "hash": "31f2aee4"
   }
  }
 },
 "nbformat": 4,
 "nbformat_minor": 2
}`;

/**
 * Form of Colab: an indent of two spaces, the cells last, separate ids in the metadata of cells,
 * sources before outputs.
 */
const COLAB = `{
  "nbformat": 4,
  "nbformat_minor": 0,
  "metadata": {
    "colab": {
      "name": "Untitled7.ipynb",
      "provenance": [],
      "gpuType": "T4",
      "authorship_tag": "ABX9TyN"
    },
    "kernelspec": {
      "name": "python3",
      "display_name": "Python 3"
    },
    "language_info": {
      "name": "python"
    },
    "accelerator": "GPU"
  },
  "cells": [
    {
      "cell_type": "markdown",
      "source": [
        "[![Open In Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/)"
      ],
      "metadata": {
        "id": "view-in-github",
        "colab_type": "text"
      }
    },
    {
      "cell_type": "code",
      "source": [
        "#@title Größe { display-mode: \\"form\\" }\\n",
        "size = 3 #@param {type:\\"slider\\", min:0, max:10, step:1}"
      ],
      "metadata": {
        "cellView": "form",
        "colab": {
          "base_uri": "https://localhost:8080/",
          "height": 34
        },
        "id": "touched",
        "outputId": "a1b2-c3"
      },
      "execution_count": 3,
      "outputs": [
        {
          "output_type": "stream",
          "name": "stdout",
          "text": [
            "3\\n"
          ]
        }
      ]
    }
  ]
}`;

/**
 * Form of nbdev: front matter in a raw cell, directives in the sources, no ids, and the metadata
 * that `nbdev_clean` keeps.
 */
const NBDEV = `{
 "cells": [
  {
   "cell_type": "raw",
   "metadata": {},
   "source": [
    "---\\n",
    "title: Core\\n",
    "description: \\"Fill in a module\\"\\n",
    "output-file: core.html\\n",
    "---"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {},
   "outputs": [],
   "source": [
    "#| default_exp core\\n",
    "#| hide\\n",
    "from nbdev.showdoc import *"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {
    "solve_it": "touched"
   },
   "outputs": [
    {
     "data": {
      "text/markdown": [
       "---\\n",
       "\\n",
       "### say_hello"
      ],
      "text/plain": [
       "say_hello (to)"
      ]
     },
     "execution_count": null,
     "metadata": {},
     "output_type": "execute_result"
    }
   ],
   "source": [
    "#| export\\n",
    "def say_hello(to): return f\\"Hello {to}!\\""
   ]
  }
 ],
 "metadata": {
  "jupytext": {
   "split_at_heading": true
  },
  "kernelspec": {
   "display_name": "python3",
   "language": "python",
   "name": "python3"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 4
}
`;

const PROGRAMS = {JupyterLab: JUPYTERLAB, 'VS Code': VS_CODE, Colab: COLAB, nbdev: NBDEV};

const read = (text: string): Notebook => {
	const notebook = readNotebook(text);
	if (typeof notebook === 'string') throw new Error(notebook);
	return notebook;
};
type Json = {readonly cells: readonly Readonly<Record<string, unknown>>[]} & Readonly<
	Record<string, unknown>
>;

const edited: string[] = [];
test.each(Object.entries(PROGRAMS))('a notebook of %s keeps all its oddities', (_, text) => {
	const notebook = read(text);
	expect(notebookText(notebook)).toBe(text);
	const at = notebook.cells.findIndex(cell => cell.text.includes('touched'));
	const {key = -1, source = ''} = notebook.cells[at] ?? {};
	const typed = withSource(notebook, key, `${source}\n# é`);
	const ran = withOutputs(typed, key, [{output_type: 'stream', name: 'stdout', text: 'out\n'}], 4);
	const now = insertCells(ran, notebook.cells.length, [{kind: 'code', source: 'new'}]).notebook;
	const written = notebookText(now);
	edited.push(text, written);

	// The text of the other cells and of everything around the cells is unchanged.
	expect(written.startsWith(notebook.head)).toBe(true);
	expect(written.endsWith(notebook.tail)).toBe(true);
	for (const [index, cell] of notebook.cells.entries())
		if (index !== at) expect(written).toContain(cell.text);
	// All other fields of the edited cell are unchanged, in order and form.
	const [before, after] = [JSON.parse(text) as Json, JSON.parse(written) as Json];
	expect(Object.keys(after.cells[at] ?? {})).toEqual(Object.keys(before.cells[at] ?? {}));
	expect(after.cells[at]).toEqual({
		...before.cells[at],
		execution_count: 4,
		outputs: [{name: 'stdout', output_type: 'stream', text: ['out\n']}],
		source: `${source}\n# é`.match(/[^\n]*\n|[^\n]+$/g),
	});
	const metadata = /"metadata": \{[^]*?\n(?: {3}| {6})\}/.exec(notebook.cells[at]?.text ?? '')?.[0] ?? '';
	expect(metadata).toContain('"');
	expect(cellText(now.cells[at]!, now.layout)).toContain(metadata);
	// A new cell is formatted like the other cells.
	expect(after.cells.at(-1)).toMatchObject({cell_type: 'code', source: ['new']});
	expect(
		written
			.split('\n')
			.filter(line => /^\s*"cell_type"/.test(line))
			.map(line => line.search(/"/)),
	).toEqual(Array.from({length: notebook.cells.length + 1}, () => (text === COLAB ? 6 : 3)));
});

test.skipIf(!hasNbformat)('nbformat takes them before and after', () => {
	expect(edited).toHaveLength(8);
	expect(nbformatSays(edited)).toBe('valid');
});
