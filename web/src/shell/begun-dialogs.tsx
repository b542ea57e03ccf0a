import { type ComponentType, useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useCanEdit } from '../api/operations.ts'
import { t } from '../language/messages.ts'
import { loadPart } from '../load-part.ts'
import { addressOfReference } from '../parts/inline.tsx'
import type { CreateSolution } from '../screens/solutions/create-solution.tsx'
import type { WriteSignal } from '../screens/triage/write-signal.tsx'
import { type Begun, begin, beginSolution, useBegun } from './begun.ts'
import { useKeys } from './keys.ts'
import { notifyFailed } from './notify.tsx'
import { useCommands } from './registered.ts'

type Dialogs = {
  readonly solution: ComponentType<Parameters<typeof CreateSolution>[0]>
  readonly signal: ComponentType<Parameters<typeof WriteSignal>[0]>
}

const writeSignal = () => begin({ what: 'signal' })
const COMMANDS = [
  { label: t('New Solution'), group: t('New'), run: beginSolution },
  { label: t('Write a signal'), group: t('New'), run: writeSignal },
]
const NOTHING: typeof COMMANDS = []

const KEYS = [
  { key: 'S', does: t('New Solution'), run: beginSolution },
  { key: 'W', does: t('Write a signal'), run: writeSignal },
]

/** What a member can begin from any screen, by key and as a command, and the dialog that is open of it. */
export const BegunDialogs = () => {
  const canEdit = useCanEdit()
  useKeys(useMemo(() => (canEdit ? KEYS : []), [canEdit]))
  useCommands(canEdit ? COMMANDS : NOTHING)
  const begun = useBegun()
  // Leaving the app closes it: nothing is begun for whoever signs in next.
  useEffect(() => () => begin(null), [])
  return begun === null || !canEdit ? null : <BegunDialog begun={begun} />
}

const close = () => begin(null)

const BegunDialog = ({ begun }: { readonly begun: Begun }) => {
  const navigate = useNavigate()
  const dialogs = useDialogs(begun.what)
  if (begun.what === 'signal') {
    const Dialog = dialogs.signal
    return Dialog === undefined ? null : <Dialog onClose={close} />
  }
  const Dialog = dialogs.solution
  if (Dialog === undefined) return null
  const { claims = [], signals = [], onCreated } = begun
  const hasOrigin = claims.length + signals.length > 0
  // Whoever decides signal by signal or claim by claim goes on there.
  const created = (reference: string) => {
    close()
    onCreated?.()
    if (!hasOrigin) navigate(addressOfReference(reference) ?? '/app/board')
  }
  return <Dialog claims={claims} signals={signals} onCreated={created} onClose={close} />
}

const LOADS: Readonly<Record<Begun['what'], () => Promise<Partial<Dialogs>>>> = {
  signal: loadPart(() =>
    import('../screens/triage/write-signal.tsx').then(({ WriteSignal }) => ({ signal: WriteSignal })),
  ),
  solution: loadPart(() =>
    import('../screens/solutions/create-solution.tsx').then(({ CreateSolution }) => ({ solution: CreateSolution })),
  ),
}

/** The dialog's own piece of the bundle, loaded when it is first wanted. */
const useDialogs = (what: Begun['what']): Partial<Dialogs> => {
  const [loaded, setLoaded] = useState<Partial<Dialogs>>({})
  useEffect(() => {
    LOADS[what]().then(
      dialog => setLoaded(before => ({ ...before, ...dialog })),
      error => {
        close()
        notifyFailed(error)
      },
    )
  }, [what])
  return loaded
}
