import { readFileSync } from 'node:fs'
import { ROOT } from './packages.ts'

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`

const ISC = `Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM
LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR
OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
PERFORMANCE OF THIS SOFTWARE.`

/** The text of a licence, for packages that name it and carry none. Throws for one that is not known here. */
export const standardText = (licence: string, author: string | null): string => {
  const by = author === null ? '' : `Copyright (c) ${author}\n\n`
  switch (licence) {
    case 'MIT':
      return by + MIT
    case 'ISC':
      return by + ISC
    case 'Apache-2.0':
      return by + readFileSync(new URL('LICENSE', ROOT), 'utf8').trim()
    default:
      throw new Error(`A package has the licence ${licence} and no text of it: add the text here.`)
  }
}

/** Licences that let anybody use, change and hand on the code, asking for no more than their text and a name. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'PostgreSQL',
  'BlueOak-1.0.0',
  'CC0-1.0',
  // Of fonts: under another name where they are changed, which this one's licence does not reserve.
  'OFL-1.1',
  'Unlicense',
  'Python-2.0',
])

/** What packages mean that name no licence, or not as SPDX does, by the text that they carry. */
export const LICENCE_OVERRIDES: Readonly<Record<string, string>> = {
  '@kafkajs/confluent-schema-registry': 'MIT',
  usearch: 'Apache-2.0',
}

/**
 * Development tools with another licence. They run unchanged and nothing of them is shipped: MPL-2.0 asks for the
 * source of changed files that are handed on, and the inspector is on its way from MIT to Apache-2.0.
 */
export const DEVELOPMENT_ONLY: ReadonlySet<string> = new Set(['MPL-2.0', 'SEE LICENSE IN LICENSE'])

/** Whether the licence, an expression of SPDX, lets the product ship the code: each side of an AND, one of an OR. */
export const isAllowed = (licence: string): boolean => {
  const plain = licence.replaceAll(/[()]/g, '')
  return plain.split(' AND ').every(all => all.split(' OR ').some(one => ALLOWED.has(one.trim())))
}
