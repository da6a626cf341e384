import type {ComputeOption} from '../contract/compute.ts';
import {knownNumber, numberText} from '../text/known.ts';
import {roundedPrice} from '../text/money.ts';

/** The GPU model: the option's name up to the last ` (`. An option without a GPU has its whole name. */
export const gpuModel = ({name}: Pick<ComputeOption, 'name'>): string => {
	const end = name.lastIndexOf(' (');
	return end === -1 ? name : name.slice(0, end);
};

/** Gigabytes of a size as the service writes it (`80G`); null when it is written in any other way. */
export const parseGigabytes = (size: string): number | null =>
	/^\d+(?:\.\d+)?G$/.test(size) ? Number(size.slice(0, -1)) : null;

/** Price of one GPU for an hour; null for an option without one. */
export const pricePerGpuHour = ({
	hourly_price: price,
	num_gpus: count,
}: Pick<ComputeOption, 'hourly_price' | 'num_gpus'>): number | null =>
	count > 0 ? knownNumber(price / count) : null;

/** The same as text. */
export const roundedPerGpu = (
	option: Pick<ComputeOption, 'hourly_price' | 'num_gpus'>,
): string | undefined => {
	const price = pricePerGpuHour(option);
	return price === null ? undefined : roundedPrice(price);
};

/** What create and start name an option by; `guessed` when the service did not say it. */
export type ComputeId = {readonly id: string; readonly guessed: boolean};

const OWN_HOST = 'svc';

/**
 * The id of an option. The service's own options carry none: `Medium CPU` is guessed as `svc-medium`, `T4 (1x)` as `svc-t4`;
 * for any other host the interface's shape `<cloud_host>-<gpu model>x<gpu count>` is.
 */
export const computeIdOf = (
	option: Pick<ComputeOption, 'name' | 'cloud_host' | 'compute_id' | 'num_gpus'>,
): ComputeId => {
	if (option.compute_id) return {id: option.compute_id, guessed: false};
	const model = gpuModel(option).trim();
	if (option.cloud_host !== OWN_HOST)
		return {
			id: `${option.cloud_host}-${model.replaceAll(/\s+/g, '_')}x${numberText(option.num_gpus)}`,
			guessed: true,
		};
	const words = model.toLowerCase().split(/\s+/);
	if (words.length > 1 && words.at(-1) === 'cpu') words.pop();
	return {id: `${OWN_HOST}-${words.join('-')}`, guessed: true};
};
