/** Bytes in place of a picture in the file. They cannot be decoded. */
const bytes = (cell: number, size: number): Buffer =>
	Buffer.from(Uint8Array.from({length: size}, (_, at) => (at * (cell + 1) * 2_654_435_761) >>> 24));

const lines = (cell: number, size: number): readonly string[] =>
	Array.from(
		{length: Math.floor(size / 60)},
		(_, at) => `cell ${cell} epoch ${at} loss ${(1 / (at + cell)).toFixed(8)}, accuracy ${at % 97} %\n`,
	);

const outputOf = (cell: number, size: number): unknown =>
	cell % 5 === 4
		? {
				data: {'image/png': bytes(cell, size * 0.7).toString('base64'), 'text/plain': ['<Figure>']},
				metadata: {},
				output_type: 'display_data',
			}
		: {name: 'stdout', output_type: 'stream', text: lines(cell, size)};

/**
 * A notebook as Jupyter writes it. Of five cells, one is text, one has a picture, and three have
 * printed text. Each output has about `size` bytes.
 */
export const largeNotebook = (cells: number, size = 24_000): string =>
	`${JSON.stringify(
		{
			cells: Array.from({length: cells}, (_, cell) =>
				cell % 5 === 0
					? {
							cell_type: 'markdown',
							id: `text-${cell}`,
							metadata: {},
							source: [`## Part ${cell}\n`, '\n', 'Some *words* about it.'],
						}
					: {
							cell_type: 'code',
							execution_count: cell,
							id: `code-${cell}`,
							metadata: {},
							outputs: [outputOf(cell, size)],
							source: [`part = ${cell}\n`, `print("part", part)`],
						},
			),
			metadata: {kernelspec: {display_name: 'Python 3', language: 'python', name: 'python3'}},
			nbformat: 4,
			nbformat_minor: 5,
		},
		null,
		1,
	)}\n`;
