/** A test for texts that hold what was typed: letter case counts only when a capital was typed. Nothing typed passes everything. */
export const textFilter = (typed: string): ((text: string) => boolean) => {
	const wanted = typed.trim();
	if (wanted === '') return () => true;
	if (wanted !== wanted.toLowerCase()) return text => text.includes(wanted);
	return text => text.toLowerCase().includes(wanted);
};
