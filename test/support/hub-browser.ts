// Acts as a user's browser at the tests' hub: cookies, redirects, links and forms.

/** Page that the user sees at the end, and each visited address. */
export type Visit = {readonly text: string; readonly status: number; readonly visited: readonly string[]};

export const openBrowser = (user: string) => {
	const cookies = new Map<string, string>();
	const visited: string[] = [];
	const get = async (address: string, form?: URLSearchParams): Promise<Visit> => {
		visited.push(address);
		const response = await fetch(address, {
			redirect: 'manual',
			headers: {
				cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
				'sec-fetch-site': 'cross-site',
				'sec-fetch-mode': 'navigate',
				// The hub checks this header when a form is posted.
				...(form && {referer: address}),
			},
			...(form && {method: 'POST', body: form}),
		});
		for (const cookie of response.headers.getSetCookie()) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
			cookies.set(name, value);
		}
		const location = response.headers.get('location');
		if (location !== null) return get(new URL(location, address).href);
		return {text: await response.text(), status: response.status, visited};
	};
	/** Posts the form of a page with its hidden fields and the given ones. */
	const submit = async ({text}: Visit, fields: Readonly<Record<string, string>>): Promise<Visit> => {
		const form = new URLSearchParams(fields);
		for (const [input] of text.matchAll(/<input\b[^>]*>/g)) {
			const valueOf = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1] ?? '';
			if (/type="hidden"|checked/.test(input)) form.append(valueOf('name'), valueOf('value'));
		}
		const [, action = ''] = /<form\b[^>]*\baction="([^"]*)"/.exec(text) ?? [];
		const at = visited.at(-1) ?? '';
		return get(new URL(action.replaceAll('&amp;', '&') || at, at).href, form);
	};
	return {
		get,
		/** Continues on our page, signs in at the hub, and allows the requested access. */
		async signIn(page: string): Promise<Visit> {
			const first = await get(page);
			const [, link = ''] = /<a href="([^"]*)"/.exec(first.text) ?? [];
			let seen = await get(link.replaceAll('&amp;', '&'));
			if (seen.text.includes('name="password"')) seen = await submit(seen, {username: user, password: 'any'});
			if (/<form\b/.test(seen.text)) seen = await submit(seen, {});
			return seen;
		},
	};
};
