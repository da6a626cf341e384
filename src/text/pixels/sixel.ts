import type {Bitmap} from '../output/picture.ts';

/** Minimum opacity of a pixel that is drawn. */
const OPAQUE = 128;
const CLEAR = -1;

type Palette = {
	readonly colours: readonly (readonly [red: number, green: number, blue: number])[];
	/** Palette index of each pixel, from the top left. -1 is transparent. */
	readonly indexes: Int16Array;
};

/** Number of the bucket of a colour. Each channel has 32 steps. */
const bucketOf = (red: number, green: number, blue: number): number =>
	((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);

const channels = (bucket: number): readonly [number, number, number] => [
	(bucket >> 10) & 31,
	(bucket >> 5) & 31,
	bucket & 31,
];

const distance = (one: number, other: number): number => {
	const [r1, g1, b1] = channels(one);
	const [r2, g2, b2] = channels(other);
	return (r1 - r2) ** 2 + (g1 - g2) ** 2 + (b1 - b2) ** 2;
};

/** The `most` most frequent colours. All other colours map to the nearest of them. */
const paletteOf = ({width, height, pixels}: Bitmap, most: number): Palette => {
	const sums = new Map<number, [count: number, red: number, green: number, blue: number]>();
	for (let at = 0; at < width * height * 4; at += 4) {
		if ((pixels[at + 3] ?? 0) < OPAQUE) continue;
		const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
		const bucket = bucketOf(red, green, blue);
		const sum = sums.get(bucket) ?? [0, 0, 0, 0];
		sum[0]++;
		sum[1] += red;
		sum[2] += green;
		sum[3] += blue;
		sums.set(bucket, sum);
	}
	const kept = [...sums].toSorted(([, [one]], [, [other]]) => other - one).slice(0, most);
	const indexOf = new Map(kept.map(([bucket], index) => [bucket, index]));
	for (const bucket of sums.keys()) {
		if (indexOf.has(bucket)) continue;
		let nearest = 0;
		for (const [index, [each]] of kept.entries())
			if (distance(each, bucket) < distance(kept[nearest]?.[0] ?? 0, bucket)) nearest = index;
		indexOf.set(bucket, nearest);
	}
	const indexes = new Int16Array(width * height).fill(CLEAR);
	for (let pixel = 0; pixel < indexes.length; pixel++) {
		const at = pixel * 4;
		if ((pixels[at + 3] ?? 0) < OPAQUE) continue;
		indexes[pixel] =
			indexOf.get(bucketOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0)) ?? CLEAR;
	}
	return {
		colours: kept.map(([, [count, red, green, blue]]) => [red / count, green / count, blue / count]),
		indexes,
	};
};

const percent = (value: number): number => Math.round((value * 100) / 255);

const repeated = (count: number, bits: number): string => {
	const character = String.fromCharCode(63 + bits);
	return count > 3 ? `!${count}${character}` : character.repeat(count);
};

/** Sixel data of one colour in a band of six rows. */
const bandOf = (indexes: Int16Array, width: number, height: number, top: number, colour: number): string => {
	let row = '';
	let [bits, count] = [0, 0];
	for (let x = 0; x < width; x++) {
		let next = 0;
		for (let y = 0; y < 6 && top + y < height; y++)
			if (indexes[(top + y) * width + x] === colour) next |= 1 << y;
		if (next !== bits) {
			row += repeated(count, bits);
			count = 0;
		}
		bits = next;
		count++;
	}
	return bits === 0 ? row : row + repeated(count, bits);
};

/**
 * Encodes a picture as DEC sixels with at most `most` colours. Transparent pixels are not drawn.
 */
export const sixelOf = (bitmap: Bitmap, most: number): string => {
	const {width, height} = bitmap;
	const {colours, indexes} = paletteOf(bitmap, Math.max(2, most));
	const defined = colours.map((each, index) => `#${index};2;${each.map(percent).join(';')}`).join('');
	const bands: string[] = [];
	for (let top = 0; top < height; top += 6) {
		const seen = new Set(indexes.subarray(top * width, Math.min(height, top + 6) * width));
		seen.delete(CLEAR);
		bands.push([...seen].map(colour => `#${colour}${bandOf(indexes, width, height, top, colour)}`).join('$'));
	}
	return `\u001BP0;1;0q"1;1;${width};${height}${defined}${bands.join('-')}\u001B\\`;
};
