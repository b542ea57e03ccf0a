import { existsSync, readFileSync, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AssayError } from './errors.ts'

const FILE = 'move.json'

/** `leaving`: being copied elsewhere. `left`: now elsewhere. `filling`: being filled from elsewhere. */
type MarkState = 'leaving' | 'left' | 'filling'

export interface MoveMark {
  readonly id: string
  readonly state: MarkState
  /** The other place, without secrets. */
  readonly elsewhere: string
}

/**
 * The mark that a move left in the data directory; null when there is none. Throws `damaged` when it cannot be read.
 */
export const readMoveMark = (directory: string): MoveMark | null => {
  const file = join(directory, FILE)
  if (!existsSync(file)) return null
  try {
    const mark: MoveMark = JSON.parse(readFileSync(file, 'utf8'))
    return mark
  } catch (error) {
    throw new AssayError(
      'damaged',
      `${file} is damaged. It says whether this installation was moved elsewhere: remove it when it was not.`,
      {
        cause: error,
      },
    )
  }
}

/** Written whole or not at all. */
export const writeMoveMark = async (directory: string, mark: MoveMark): Promise<void> => {
  const file = join(directory, FILE)
  await writeFile(`${file}.new`, JSON.stringify(mark), { flush: true })
  await rename(`${file}.new`, file)
}

export const removeMoveMark = (directory: string): void => rmSync(join(directory, FILE), { force: true })

/**
 * Throws `conflict` before a start when the installation is elsewhere, or not completely here yet. An unfinished move
 * away is given up by the start, since its copy becomes outdated.
 */
export const assertNotMoved = (directory: string): void => {
  const mark = readMoveMark(directory)
  if (mark === null) return
  if (mark.state === 'leaving') {
    removeMoveMark(directory)
    return
  }
  const file = join(directory, FILE)
  throw new AssayError(
    'conflict',
    mark.state === 'left'
      ? `The installation in ${directory} was moved to ${mark.elsewhere}: start it there. What is here is as it was then. To start it here all the same, and lose what came in since, remove ${file}.`
      : `${directory} is being filled from ${mark.elsewhere}, and not all is here. Run \`assay move\` again to finish it, or take another DATA_DIR.`,
  )
}
