import type { Call } from './task.ts'

/**
 * Reason why an error's text does not name the next call; null when it does. The text names another tool or mode by
 * both words, another action of the same mode by its word, and other arguments by each field to change or by the value
 * that belongs there.
 */
export const unnamed = (text: string, wrong: Call, right: Call): string | null => {
  const { mode, action } = right.input
  if (wrong.tool !== right.tool || wrong.input.mode !== mode) {
    return namesMode(text, right.tool, String(mode)) ? null : `it does not name ${right.tool} mode ${mode}`
  }
  if (wrong.input.action !== undefined && wrong.input.action !== action) {
    return names(text, String(action)) ? null : `it does not name action ${action}`
  }
  const fields = new Set([...Object.keys(wrong.input), ...Object.keys(right.input)])
  const missing = [...fields].filter(
    field => !same(wrong.input[field], right.input[field]) && !names(text, field) && !holds(text, right.input[field]),
  )
  return missing.length === 0 ? null : `it does not name what to change: ${missing.join(', ')}`
}

/** A tool and then, without another tool between, the mode: alone or in a list of modes. */
const namesMode = (text: string, tool: string, mode: string): boolean =>
  new RegExp(`\\b${tool}\\b(?:(?!service_)[^])*?\\b(?:modes?|belongs to) [a-z_, ]*\\b${mode}\\b`).test(text)

const names = (text: string, field: string): boolean => new RegExp(`\\b${field}\\b`).test(text)

const holds = (text: string, value: unknown): boolean => typeof value === 'string' && text.includes(value)

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
