/** A cell of an HTML table: its text on one line, its first column (from 0), and how many columns and rows it covers. */
export type HtmlCell = {
	readonly text: string;
	readonly isHead: boolean;
	readonly column: number;
	readonly span: number;
	readonly rowSpan: number;
};
/**
 * Each row holds the cells that begin in it, from left to right; what a cell of a row above covers is left out. `headRows` stand at the
 * top. `isExact`: no two cells claim the same place, and none was left out.
 */
export type HtmlTable = {
	readonly kind: 'table';
	readonly rows: readonly (readonly HtmlCell[])[];
	readonly columns: number;
	readonly headRows: number;
	readonly isExact: boolean;
};
/** What HTML says without its looks: paragraphs and tables, in their order. Not made safe for the screen. */
export type HtmlPart = {readonly kind: 'text'; readonly text: string} | HtmlTable;
