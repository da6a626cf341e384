import {shellQuoted} from '../text/shell-word.ts';

/**
 * A call as a curl command. The key is a shell variable. A body that is not available here is read
 * from a file.
 */
export const curlOf = ({
	method,
	url,
	body,
}: {
	readonly method: string;
	readonly url: string;
	readonly body?: string;
}): string =>
	[
		'curl',
		...(method === 'GET' ? [] : ['-X', method]),
		shellQuoted(url),
		'-H "apiKey: $SVC_API_KEY"',
		...(method === 'GET'
			? []
			: [
					"-H 'content-type: application/json'",
					...(body === undefined ? ['--data-binary', '@body.json'] : ['--data-raw', shellQuoted(body)]),
				]),
	].join(' ');
