// Finds servers by name, state, environment and hardware, for the palette.
import {offerOf} from '../../query/offers.ts';
import {computeIdOf, gpuModel} from '../../query/option.ts';
import {wordsTest} from '../../query/text-filter.ts';
import {label} from '../../text/safe.ts';
import {withoutColours} from '../../text/width/width.ts';
import type {Find} from '../core/feature.ts';
import {route} from '../core/store/route.ts';
import {stateText} from './state.ts';

export const serverFind: Find = {
	order: 2,
	prefix: '',
	name: 'servers',
	screen: 'servers',
	section: () => 'Servers',
	hits(get, words) {
		const {servers, lastServers, compute} = get();
		const isWanted = wordsTest(words);
		return ((servers.value ?? lastServers)?.items ?? []).flatMap(({name, status, ...rest}) => {
			const option = offerOf(rest.server_request, compute.value?.items);
			const hardware =
				option === undefined
					? rest.server_request
					: `${gpuModel(option)} ${option.cloud_host} ${computeIdOf(option).id}`;
			if (!isWanted(`${name} ${status} ${rest.environment} ${hardware}`)) return [];
			return [
				{
					name,
					choice: {
						id: `server ${name}`,
						text: `${label(name, 40)}  ${withoutColours(stateText(status))}  ${label(option ? `${gpuModel(option)} ${option.cloud_host}` : rest.server_request, 40)}`,
						enterLabel: 'open',
						note: 'open',
						choose: () => route(get).chooseServer(name, 'files'),
					},
				},
			];
		});
	},
};
