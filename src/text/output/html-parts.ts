/** Cell of an HTML table. `column` counts from 0; `span` and `rowSpan` are its size. */
export type HtmlCell = {
	readonly text: string;
	readonly isHead: boolean;
	readonly column: number;
	readonly span: number;
	readonly rowSpan: number;
};
/**
 * Table. Each row contains the cells that start in it, from left to right, without cells that span
 * into it from above. `headRows`: number of header rows at the top. `isExact`: no cells overlap and
 * none were dropped.
 */
export type HtmlTable = {
	readonly kind: 'table';
	readonly rows: readonly (readonly HtmlCell[])[];
	readonly columns: number;
	readonly headRows: number;
	readonly isExact: boolean;
};
/**
 * Content of HTML without styling: paragraphs and tables. The text may contain control characters.
 */
export type HtmlPart = {readonly kind: 'text'; readonly text: string} | HtmlTable;
