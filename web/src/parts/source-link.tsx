import { Anchor } from '@mantine/core'

/** Only the web’s own schemes are links; anything else that a sender wrote there is text. */
export const SourceLink = ({ address }: { readonly address: string }) => {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return <bdi>{address}</bdi>
  return (
    <Anchor href={url.href} target="_blank" rel="noopener noreferrer nofollow" inherit>
      <bdi>{url.host}</bdi>
    </Anchor>
  )
}
