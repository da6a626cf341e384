/** Cell of an HTML table. `column` counts from 0; `span` and `rowSpan` are its size. */
export type HtmlCell = {
	readonly text: string;
	readonly isHead: boolean;
	readonly column: number;
	readonly span: number;
	readonly rowSpan: number;
};
/**
 * Each row holds the cells that start in it, from left to right, but not cells that reach in from
 * above. `headRows`: number of header rows at the top. `isExact`: true if no two cells overlap and
 * none was left out.
 */
export type HtmlTable = {
	readonly kind: 'table';
	readonly rows: readonly (readonly HtmlCell[])[];
	readonly columns: number;
	readonly headRows: number;
	readonly isExact: boolean;
};
/** Content of HTML without styling: paragraphs and tables. Not made safe for the screen. */
export type HtmlPart = {readonly kind: 'text'; readonly text: string} | HtmlTable;
