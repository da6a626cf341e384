// Self-contained HTML page of a figure: no script, no link, no external resource.
import {escapeHtml} from '../output/entities.ts';
export {lastFigureIn} from './in-output.ts';
import type {Figure, FigureTable} from './figure.ts';
import {figureSvg, legendHtml} from './svg.ts';

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2em auto;padding:0 1em;color-scheme:light dark}
table{border-collapse:collapse;margin:1em 0;font-variant-numeric:tabular-nums}td,th{padding:.1em .8em;text-align:left;border-bottom:1px solid #8884}
.key{display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 1em}svg{width:100%;height:auto}code{background:#8882;padding:0 .3em}`;

const tableHtml = ({name, columns, rows}: FigureTable): string =>
	`<details${rows.length <= 20 ? ' open' : ''}><summary>${escapeHtml(name || 'Data')}: ${rows.length.toLocaleString('en')} rows</summary><table><tr>${columns
		.map(column => `<th>${escapeHtml(column)}</th>`)
		.join('')}</tr>${rows
		.map(row => `<tr>${row.map(cell => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
		.join('\n')}</table></details>`;

/** Sentence about the parts of a figure that the page does not draw but shows as a table. */
const restText = (figure: Figure, isDrawn: boolean): string => {
	const kinds = [...new Set(figure.series.filter(({kind}) => kind === 'table').map(({drawnAs}) => drawnAs))];
	if (kinds.length === 0 && isDrawn) return 'This is a simple drawing of its data.';
	const what = kinds.length === 0 ? 'It' : `Its kind (${kinds.join(', ')})`;
	return figure.tables.length === 0
		? `${what} is not drawn here, and it holds no data that can be listed.`
		: `${what} is not drawn here: the table has its data.`;
};

export const figurePage = (figure: Figure): string => {
	const title = figure.title || `${figure.library} figure`;
	const svg = figureSvg(figure);
	return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${STYLE}</style></head><body>
<h1>${escapeHtml(title)}</h1>
${svg === null ? '' : `${svg}\n<p>${legendHtml(figure)}</p>`}
<p>${escapeHtml(restText(figure, svg !== null))} ${escapeHtml(figure.library)} itself saves an interactive page: <code>${escapeHtml(figure.save)}</code></p>
${figure.tables.map(tableHtml).join('\n')}
</body></html>
`;
};
