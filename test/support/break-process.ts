// Preloaded into the built program (`--import`): lets it fail on SIGUSR2 in the way that BREAK names, since nothing that a person does can.
const failure = (): Error => new Error('broken on purpose');

const ways: Readonly<Record<string, () => void>> = {
	error() {
		throw failure();
	},
	rejection() {
		void Promise.reject(failure());
	},
	memory() {
		for (const held: unknown[] = []; ;) held.push(new Array(1_000_000).fill(0.5));
	},
	/** Every view draws rules; the next one that is drawn fails. */
	view() {
		String.prototype.repeat = () => {
			throw failure();
		};
	},
};

process.on('SIGUSR2', () => ways[process.env['BREAK'] ?? 'error']?.());
