#!/usr/bin/env node
// Fake browser of a test, set in BROWSER. It opens a page and signs in SVC_TEST_USER at the hub.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {openBrowser} from './hub-browser.ts';

const [, , target = ''] = process.argv;
const [, page = ''] = /<a href="([^"]*)"/.exec(readFileSync(fileURLToPath(target), 'utf8')) ?? [];
await openBrowser(process.env['SVC_TEST_USER'] ?? '').signIn(page.replaceAll('&amp;', '&'));
