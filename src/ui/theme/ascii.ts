// Characters of frames, marks and bars and what stands for each where only ASCII is wanted; all one cell wide. States stay apart.
const PAIRS = [
	'●*', '◌~', '○o', '◉@', '·.', '•*', '▸>', '▾v', '▴^', '▹>', '›>', '‹<', '»>', '«<', '✓+', '✗x', '×x', '—-', '–-', '…~', '⏎<', '⇧^', '⇥>',
	'↑^', '↓v', '→>', '←<', '↕|', '↔-', '─-', '━-', '│|', '┃|', '┄-', '┆|', '╭+', '╮+', '╰+', '╯+', '┌+', '┐+', '└+', '┘+', '├+', '┤+', '┬+', '┴+', '┼+', '═=', '║|',
	'█#', '▉#', '▊#', '▋#', '▌|', '▍|', '▎|', '▏|', '▐|', '▀"', '▁_', '▂_', '▃_', '▄_', '▅=', '▆=', '▇#', '░.', '▒:', '▓#', '■#', '□o', '◆*', '◇o', '★*', '☆o', '≈~', '≠!', '±+', '≤<', '≥>',
] as const;
const STANDS_FOR: ReadonlyMap<string, string> = new Map(PAIRS.map(pair => [pair.slice(0, -1), pair.slice(-1)]));
const ALL = new RegExp(`[${[...STANDS_FOR.keys()].join('')}]`, 'g');

/** The text with our own marks in ASCII; letters of any language stay. */
export const withAscii = (text: string): string => text.replaceAll(ALL, mark => STANDS_FOR.get(mark) ?? mark);
