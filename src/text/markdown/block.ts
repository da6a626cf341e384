export type Align = 'left' | 'center' | 'right';

export type Block =
	| {readonly type: 'heading'; readonly depth: number; readonly text: string}
	| {readonly type: 'rule'}
	| {readonly type: 'paragraph'; readonly text: string}
	/** Indented code. Fenced code is not a block: its lines are rendered one by one. */
	| {readonly type: 'code'; readonly lines: readonly string[]}
	| {readonly type: 'quote'; readonly lines: readonly string[]}
	| {
			readonly type: 'item';
			readonly number: number | null;
			readonly delimiter: string;
			readonly lines: readonly string[];
	  }
	| {
			readonly type: 'table';
			readonly aligns: readonly Align[];
			readonly header: readonly string[];
			readonly rows: readonly (readonly string[])[];
	  };

export type Scanned = {
	readonly block: Block;
	/** Index of the first line after the block. */
	readonly end: number;
	/** True if more text cannot change the block. */
	readonly closed: boolean;
	/** Rest of the block's last line if that was split, else null. Continues the paragraph. */
	readonly rest: string | null;
	/** Header for the rows that follow, if the table was split because of its length. */
	readonly below?: TableHead;
};

export type TableHead = {readonly aligns: readonly Align[]; readonly header: readonly string[]};
