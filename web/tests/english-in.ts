import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { Catalogue } from '../src/language/languages.ts'

const read = (file: string): Catalogue =>
  JSON.parse(readFileSync(new URL(`../messages/${file}`, import.meta.url), 'utf8')) as Catalogue

/**
 * English messages of the app and sentences of the service with other words in German, as they are written: without
 * values and elements.
 */
const ENGLISH: ReadonlySet<string> = new Set(
  Object.entries({ ...read('service.de.json'), ...read('de.json') }).flatMap(([message, german]) =>
    message === german || /[{<]|\]$/.test(message) ? [] : [message],
  ),
)

/** Every text of the page, and what it tells who cannot see it. */
const TEXTS = `
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) texts.push(walker.currentNode.data)
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    texts.push(...['aria-label', 'title', 'placeholder'].map(name => element.getAttribute(name) ?? ''))
  texts
`

/** What a page in German still says in English. */
export const englishIn = async (page: Page): Promise<readonly string[]> => {
  const texts = await page.evaluate<readonly string[]>(TEXTS)
  return texts.map(text => text.trim()).filter(text => ENGLISH.has(text))
}
