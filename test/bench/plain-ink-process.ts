// Baseline for the streamed answer: a program that renders the whole message as one `Text` of Ink
// after each fragment.
import http from 'node:http';
import {createInterface} from 'node:readline';
import {Box, render, Text} from 'ink';
import {createElement, useEffect, useState} from 'react';

const Answer = ({url}: {readonly url: string}) => {
	const [text, setText] = useState('');
	useEffect(() => {
		const read = async (response: http.IncomingMessage): Promise<void> => {
			for await (const line of createInterface({input: response}))
				if (line.startsWith('0:')) setText(before => before + String(JSON.parse(line.slice(2))));
			setText(before => `${before}\nthe answer is whole`);
		};
		http.request(url, {method: 'POST'}, response => void read(response)).end();
	}, [url]);
	const files = Array.from({length: 40}, (_, index) =>
		createElement(Text, {key: index}, `  file-${index}.py`),
	);
	return createElement(
		Box,
		{width: 200, height: 49},
		createElement(Box, {width: 100, flexDirection: 'column'}, ...files),
		createElement(
			Box,
			{width: 100, overflow: 'hidden', flexDirection: 'column', justifyContent: 'flex-end'},
			createElement(Box, {flexShrink: 0}, createElement(Text, null, text)),
		),
	);
};

render(createElement(Answer, {url: process.argv[2] ?? ''}));
setInterval(() => {}, 1000);
