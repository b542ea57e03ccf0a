import { type ReactNode, useState } from 'react'
import { Navigate } from 'react-router'
import { useOperation } from '../api/operations.ts'
import { t } from '../language/messages.ts'
import { Page, PageHeader } from '../parts/page.tsx'
import { ErrorState, LoadingState } from '../parts/states.tsx'

const REFRESH_MS = 2000

/** What has come to the workspace so far, read again and again while one waits for the first signal. */
export const useSnapshot = () => useOperation('orient_snapshot', { limit: 1 }, { refresh_ms: REFRESH_MS })

/**
 * `/app`: Triage, or `welcome`, the way to the first signal, where none has come yet. It comes with the frame: whoever
 * goes on to Triage needs no other file for it.
 */
export const AtHome = ({ welcome }: { readonly welcome: ReactNode }) => {
  // Whoever was welcomed sees the signal arrive before they go on.
  const [welcomed, setWelcomed] = useState(false)
  const { data, error, refetch } = useSnapshot()
  if (data === undefined) {
    return (
      <Page width="reading">
        <PageHeader title={t('Welcome')} />
        {error === null ? <LoadingState rows={3} height={80} /> : <ErrorState error={error} retry={refetch} />}
      </Page>
    )
  }
  if (data.counts.signals === 0 && !welcomed) setWelcomed(true)
  return data.counts.signals === 0 || welcomed ? welcome : <Navigate to="/app/triage" replace />
}
