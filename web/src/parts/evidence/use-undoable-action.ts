import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { t } from '../../language/messages.ts'
import { notifyDone, notifyFailed, notifyUndoable } from '../../shell/notify.tsx'

interface Act<Answer> {
  readonly run: () => Promise<Answer>
  /** What was done, in a sentence. */
  readonly doneMessage: (answer: Answer) => string
  readonly undo: (answer: Answer) => Promise<unknown>
}

/**
 * Does something that can be undone, one at a time: says so with a way back, and reads again what is shown. `undoLast` takes back the last,
 * then the one before it.
 */
export const useUndoableAction = () => {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const done = useRef<(() => Promise<void>)[]>([])

  const act = useCallback(
    async <Answer>({ run, doneMessage, undo }: Act<Answer>): Promise<Answer | undefined> => {
      if (running.current) return
      running.current = true
      setBusy(true)
      try {
        const answer = await run()
        const takeBack = async () => {
          done.current = done.current.filter(each => each !== takeBack)
          await undo(answer)
          await queries.invalidateQueries()
        }
        done.current.push(takeBack)
        notifyUndoable(doneMessage(answer), takeBack)
        return answer
      } catch (error) {
        notifyFailed(error)
      } finally {
        await queries.invalidateQueries()
        running.current = false
        setBusy(false)
      }
    },
    [queries],
  )

  const undoLast = useCallback(async () => {
    const last = done.current.at(-1)
    if (last === undefined) return
    try {
      await last()
      notifyDone(t('Undone.'))
    } catch (error) {
      notifyFailed(error)
    }
  }, [])

  return { act, busy, undoLast }
}
