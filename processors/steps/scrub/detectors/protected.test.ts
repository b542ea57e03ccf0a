import assert from 'node:assert/strict'
import { test } from 'node:test'
import { protectedSpans } from '../redact.ts'

for (const line of [
  'id «550e8400-e29b-41d4-a716-446655440000»',
  'on «15.01.2024», «2024-01-15», «2024-01-15T10:30:00», «01/02/2024»',
  'neither a merger 0701559336 nor CVE-2026-3305512x, MA 02110-13011 or QQ 02110-1301, of 51 Franklin St',
  'in the «60000-64999» range, «ports 49152-65535», but no mobile 98765-43210 nor rows 98765-43210-1',
  'Boston, «MA 02110-1301», USA; «CVE-2026-33055»',
  '(«merge 0650614982» later), github.example/a/b/«commit/0701559336»: fixed',
  '* [«[`0701559336`]»(https://github.example/a/b/«commit/0701559336»)] - a change',
  'neither 1.2.2024.5 nor 99.99.2024 nor 2024-13-99',
]) {
  test(`kept for its form: ${line}`, () => {
    const text = line.replace(/[«»]/g, '')
    assert.deepEqual(
      protectedSpans(text)
        .map(({ start, end }) => text.slice(start, end))
        .toSorted(),
      Array.from(line.matchAll(/«(.*?)»/g), match => match[1]).toSorted(),
    )
  })
}
