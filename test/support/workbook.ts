import {crc32, deflateRawSync} from 'node:zlib';

/** ZIP archive of texts. `change` modifies the record of an entry in the central directory. */
export const zipOf = (
	parts: Readonly<Record<string, string | Uint8Array>>,
	change: (record: Buffer, name: string) => void = () => {},
): Buffer => {
	const files: Buffer[] = [];
	const records: Buffer[] = [];
	let at = 0;
	for (const [name, content] of Object.entries(parts)) {
		const bytes = Buffer.from(content as string);
		const packed = deflateRawSync(bytes);
		const path = Buffer.from(name);
		const local = Buffer.alloc(30);
		local.writeUInt32LE(0x04_03_4b_50, 0);
		local.writeUInt16LE(8, 8);
		local.writeUInt16LE(path.length, 26);
		const record = Buffer.alloc(46);
		record.writeUInt32LE(0x02_01_4b_50, 0);
		record.writeUInt16LE(8, 10);
		record.writeUInt32LE(crc32(bytes), 16);
		record.writeUInt32LE(packed.length, 20);
		record.writeUInt32LE(bytes.length, 24);
		record.writeUInt16LE(path.length, 28);
		record.writeUInt32LE(at, 42);
		change(record, name);
		records.push(record, path);
		files.push(local, path, packed);
		at += 30 + path.length + packed.length;
	}
	const directory = Buffer.concat(records);
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06_05_4b_50, 0);
	end.writeUInt16LE(Object.keys(parts).length, 10);
	end.writeUInt32LE(directory.length, 12);
	end.writeUInt32LE(at, 16);
	return Buffer.concat([...files, directory, end]);
};

type WorkbookHow = {
	readonly strings?: string;
	readonly styles?: string;
	readonly properties?: string;
	readonly change?: (record: Buffer, name: string) => void;
};

/** Parts of an Excel workbook, made from the XML of the rows of its sheets. */
export const workbookParts = (
	sheets: Readonly<Record<string, string>>,
	{strings = '', styles = '', properties = ''}: WorkbookHow = {},
): Readonly<Record<string, string>> => {
	const names = Object.keys(sheets);
	const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
	return {
		'xl/workbook.xml': `${head}<workbook xmlns:r="r">${properties}<sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
		'xl/_rels/workbook.xml.rels': `${head}<Relationships>${names.map((_, at) => `<Relationship Id="rId${at + 1}" Type="worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
		'xl/sharedStrings.xml': `${head}<sst>${strings}</sst>`,
		'xl/styles.xml': `${head}<styleSheet>${styles}</styleSheet>`,
		...Object.fromEntries(
			names.map((name, at) => [
				`xl/worksheets/sheet${at + 1}.xml`,
				`${head}<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
			]),
		),
	};
};

/** An Excel workbook. */
export const workbookOf = (sheets: Readonly<Record<string, string>>, how: WorkbookHow = {}): Buffer =>
	zipOf(workbookParts(sheets, how), how.change);
