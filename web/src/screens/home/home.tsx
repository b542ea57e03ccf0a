import { useState } from 'react'
import { Navigate } from 'react-router'
import { useOperation } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Welcome } from './welcome.tsx'

const REFRESH_MS = 2000

/** `/app`: Triage, or the way to the first signal where none has come yet. */
const Home = () => {
  // Whoever was welcomed sees the signal arrive before they go on.
  const [welcomed, setWelcomed] = useState(false)
  const { data, error, refetch } = useOperation('orient_snapshot', { limit: 1 }, { refresh_ms: REFRESH_MS })
  if (data === undefined) {
    return (
      <Page width="reading">
        <PageHeader title="Welcome" />
        {error === null ? <LoadingState rows={3} height={80} /> : <ErrorState error={error} retry={refetch} />}
      </Page>
    )
  }
  if (data.counts.signals === 0 && !welcomed) setWelcomed(true)
  return data.counts.signals === 0 || welcomed ? <Welcome snapshot={data} /> : <Navigate to="/app/triage" replace />
}

export default Home
