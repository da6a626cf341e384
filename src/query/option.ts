import type {ComputeOption} from '../contract/compute.ts';
import {knownNumber, knownText, numberText} from '../text/known.ts';
import {roundedPrice} from '../text/money.ts';

/** GPU model: the option's name up to the last ` (`. Without a GPU, the whole name. */
export const gpuModel = ({name}: Pick<ComputeOption, 'name'>): string => {
	const end = name.lastIndexOf(' (');
	return end === -1 ? name : name.slice(0, end);
};

/** GPU with its memory, such as `H100 80G` or `H100 ?`. Without a GPU, the name of the option. */
export const gpuText = (option: Pick<ComputeOption, 'name' | 'num_gpus' | 'vram_per_gpu'>): string => {
	const model = gpuModel(option);
	if (option.num_gpus === 0) return model;
	const memory = knownText(option.vram_per_gpu);
	return model.includes(memory) ? model : `${model} ${memory}`;
};

/** Hardware, such as `4× A100 80G`, or the name of an option without a GPU. */
export const hardwareText = (
	option: Pick<ComputeOption, 'name' | 'num_gpus' | 'vram_per_gpu'>,
	times: '× ' | ' × ' = '× ',
): string =>
	option.num_gpus === 0 ? gpuText(option) : `${numberText(option.num_gpus)}${times}${gpuText(option)}`;

/** Gigabytes of a size written as `80G`. Null for any other form. */
export const parseGigabytes = (size: string): number | null =>
	/^\d+(?:\.\d+)?G$/.test(size) ? Number(size.slice(0, -1)) : null;

/** Price per hour divided by the number of GPUs. Null without a GPU. */
export const pricePerGpuHour = ({
	hourly_price: price,
	num_gpus: count,
}: Pick<ComputeOption, 'hourly_price' | 'num_gpus'>): number | null =>
	count > 0 ? knownNumber(price / count) : null;

export const roundedPerGpu = (
	option: Pick<ComputeOption, 'hourly_price' | 'num_gpus'>,
): string | undefined => {
	const price = pricePerGpuHour(option);
	return price === null ? undefined : roundedPrice(price);
};

/** Id for create and start. `guessed`: the service did not send it. */
export type ComputeId = {readonly id: string; readonly guessed: boolean};

const OWN_HOST = 'svc';

/**
 * Id of an option. If the service sends none, it is guessed. The service's own options: `Medium
 * CPU` becomes `svc-medium`, `T4 (1x)` becomes `svc-t4`. Other hosts: the documented form
 * `<cloud_host>-<gpu model>x<gpu count>`.
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
