import { useAnswer } from '../../api/use-answer.ts'

export default function ImportView() {
  const answer = useAnswer('importDiscover', {})
  if (answer.state === 'waiting') return null
  return <pre>{JSON.stringify(answer.state === 'there' ? answer.data : answer.error.message, null, 2)}</pre>
}
