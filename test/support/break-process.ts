// Preloaded into the built program (`--import`). On SIGUSR2 the program fails in the way that BREAK
// names, because no user action can cause such a failure.
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
	/** Every view draws rules, so the next drawing fails. */
	view() {
		String.prototype.repeat = () => {
			throw failure();
		};
	},
};

process.on('SIGUSR2', () => ways[process.env['BREAK'] ?? 'error']?.());
