import { useEffect, useRef } from 'react'
import { keepDraft, readDraft } from '../../api/drafts.ts'
import { t } from '../../language/messages.ts'
import { notifyDone } from '../../shell/notify.tsx'
import type { FormDraft } from '../forms/form-model.ts'
import { type Comment, draftOfEdit } from './comment-item.tsx'

/**
 * Where somebody deletes a comment that the person is changing, gives what they wrote to `onLeft`, and says so: the
 * field that it stood in goes with the comment. `items` are those about one thing; null while they are read.
 */
export const useDeletedMeanwhile = (
  about: string,
  items: readonly Comment[] | null,
  onLeft: (written: string) => void,
): void => {
  const before = useRef<{ readonly about: string; readonly items: readonly Comment[] }>({ about, items: [] })
  useEffect(() => {
    if (items === null) return
    const there = new Set(items.map(({ id }) => id))
    const missing = before.current.about === about ? before.current.items.filter(({ id }) => !there.has(id)) : []
    before.current = { about, items }
    for (const comment of missing) {
      const draft = readDraft(draftOfEdit(comment))
      if (draft === null) continue
      keepDraft(draftOfEdit(comment), null)
      // As the form of the comment keeps it.
      onLeft((JSON.parse(draft) as FormDraft<{ text: string }>).written.text ?? comment.text)
      notifyDone(t('The comment that you were changing was deleted. Your words are in the field for a new one.'))
    }
  })
}
