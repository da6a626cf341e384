/** Text of a notebook with one code cell for each source. */
export const notebookOf = (...sources: readonly string[]): string =>
	JSON.stringify({
		cells: sources.map((source, at) => ({
			cell_type: 'code',
			execution_count: null,
			id: `cell-${at}`,
			metadata: {},
			outputs: [],
			source,
		})),
		metadata: {kernelspec: {display_name: 'Python 3', language: 'python', name: 'python3'}},
		nbformat: 4,
		nbformat_minor: 5,
	});
