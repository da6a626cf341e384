export type Align = 'left' | 'center' | 'right';

export type Block =
	| {readonly type: 'heading'; readonly depth: number; readonly text: string}
	| {readonly type: 'rule'}
	| {readonly type: 'paragraph'; readonly text: string}
	/** Indented code. Fenced code is not a block, because its lines are rendered as they arrive. */
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
	/** True if text that arrives later cannot change the block. */
	readonly closed: boolean;
	/**
	 * Rest of the block's last line if that line was too long for one block, else null. The rest
	 * continues the paragraph.
	 */
	readonly rest: string | null;
	/** Header for the rows that follow, if a long table was split. */
	readonly below?: TableHead;
};

export type TableHead = {readonly aligns: readonly Align[]; readonly header: readonly string[]};
