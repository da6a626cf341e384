const GROUP = 8;

/** Hex dump: offset, bytes in groups of eight, and the bytes that are printable ASCII. */
export const hexLines = (bytes: Uint8Array, groups: 1 | 2): readonly string[] => {
	const width = GROUP * groups;
	return Array.from({length: Math.ceil(bytes.length / width)}, (_, row) => {
		const part = [...bytes.subarray(row * width, (row + 1) * width)];
		const hex = part.map(byte => byte.toString(16).padStart(2, '0'));
		const shown = part.map(byte => (byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : '.')).join('');
		const columns = Array.from({length: groups}, (__, group) =>
			hex
				.slice(group * GROUP, (group + 1) * GROUP)
				.join(' ')
				.padEnd(GROUP * 3 - 1),
		);
		return [(row * width).toString(16).padStart(8, '0'), ...columns, shown].join('  ');
	});
};
