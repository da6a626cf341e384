// Preloaded into the built program (`--import`): on SIGUSR2 it fails in the way that BREAK names,
// since no user action can cause that.
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
	/** Every view draws rules; the next one drawn fails. */
	view() {
		String.prototype.repeat = () => {
			throw failure();
		};
	},
};

process.on('SIGUSR2', () => ways[process.env['BREAK'] ?? 'error']?.());
