import type {Command} from 'commander';
import {add, type Runs} from './add-command.ts';
import {COMPUTE_HELP} from './compute-options.ts';

/** Adds the commands of the catalogue. */
export const addCatalogue = (root: Command, runs: Runs): void => {
	// These options, the typed query and the filters of the screens set the same filter.
	const compute = add(root, 'compute [options]', 'list compute options with price and availability')
		.option('--region <R...>', 'offered in this region (exact name; repeat for any of several)')
		.option('--gpu <MODEL>', 'GPU model, full name, case-insensitive: A100 does not match "A100 80G"')
		.option('--min-gpus <N>', 'minimum number of GPUs')
		.option('--min-vram <GB>', 'minimum gigabytes of VRAM per GPU')
		.option('--max-price <P>', 'maximum price per hour')
		.option('--cpu-only', 'CPU only')
		.option('--host <HOST>', 'on this host, case-insensitive')
		.option('--available', 'available now in one of the given regions')
		.option('--query <QUERY>', "the filter as one query: 'gpu:h100 n>=2 vram>=80 price<6'")
		.option('--sort <COLUMN>', 'sort by price, n, vram, …; -price sorts descending')
		.option('--columns <LIST>', 'columns after the id, in this order: gpu,price,host,…')
		.addHelpText('after', COMPUTE_HELP)
		.action(runs(async () => (await import('./compute.ts')).listCompute));
	add(compute, 'watch [options]', 'wait until a matching option is available, then list it')
		.option('--every <S>', 'seconds between checks (default 30)')
		.option('--timeout <S>', 'give up after this many seconds with exit code 5')
		.action((_: unknown, command: Command) =>
			runs(async () => (await import('./compute-watch.ts')).watchCompute)(command.optsWithGlobals()),
		);
	add(root, 'environments', 'list environments (the software on a server)').action(
		runs(async () => (await import('./environments.ts')).listEnvironments),
	);
};
