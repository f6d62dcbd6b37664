<?php
/*
 * Takes one payment through Laneware, with nothing but PHP 7.4 or newer:
 *
 *   php pay.php 12345 "Apples, 2 kg"        amount in kopecks
 *
 * LANEWARE_URL is the lane (http://127.0.0.1:1234), LANEWARE_TOKEN the token of the till, where the lane asks for one.
 * LANEWARE_WAIT_S seconds after its code is shown (420) an open payment is taken back: its bank has not reported on it.
 * Ends with 0 when it is paid, 1 when it is not, 2 when it is unknown whether it is paid: then look at the payment before anything is sold again.
 * Ends with 3 when it is called wrongly: nothing was asked then.
 */
const ANSWER_LIMIT_S = 40;
const GIVE_UP_S = 120;
const TTL_MINUTES = 5;

/** Returns status and body of one call; status 0 where there is no answer. */
function send(string $method, string $path, ?array $body = null, array $headers = []): array
{
    $headers[] = 'Content-Type: application/json';
    if (getenv('LANEWARE_TOKEN')) {
        $headers[] = 'Authorization: Bearer ' . getenv('LANEWARE_TOKEN');
    }
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => $headers,
        'content' => $body === null ? '' : json_encode($body),
        'timeout' => ANSWER_LIMIT_S,
        'ignore_errors' => true,
    ]]);
    $lane = getenv('LANEWARE_URL') ?: 'http://127.0.0.1:1234';
    $text = @file_get_contents($lane . $path, false, $context);
    $answer = $text === false ? null : json_decode($text, true);
    if ($answer === null) {
        return [0, ['detail' => error_get_last()['message'] ?? 'the lane does not answer']];
    }
    return [(int) explode(' ', $http_response_header[0])[1], $answer];
}

/** No answer, 429 or 5xx passes, and says nothing of what was done: the same is sent again. Its key makes it the same payment. */
function sendUntilAnswered(string $method, string $path, ?array $body = null, array $headers = []): array
{
    $end = time() + GIVE_UP_S;
    while (true) {
        [$status, $answer] = send($method, $path, $body, $headers);
        if ($status >= 200 && $status < 300) {
            return $answer;
        }
        $isUsedUp = ($answer['repeat'] ?? null) === false; // the key: its payment can no longer be paid
        $isPassing = $status === 0 || $status === 429 || $status >= 500;
        if ($isUsedUp || !$isPassing || time() > $end) {
            throw new RuntimeException(($answer['code'] ?? 'no answer') . ": {$answer['detail']}", $isUsedUp ? 1 : 2);
        }
        sleep(1);
    }
}

/** Returns the payment as it has ended. Amount in kopecks. */
function pay(int $amount, string $purpose, string $key): array
{
    $body = ['amount' => $amount, 'purpose' => $purpose, 'ttl' => TTL_MINUTES];
    $payment = sendUntilAnswered('POST', '/v1/payments', $body, ["Idempotency-Key: $key"]);
    echo "payment {$payment['id']}: the code is on the display\n";
    // the code's own time, a minute in which the customer may be confirming, and one for the bank
    $wait = getenv('LANEWARE_WAIT_S');
    $end = time() + ($wait === false ? (TTL_MINUTES + 2) * 60 : (int) $wait);
    while ($payment['state'] === 'PENDING' && time() < $end) {
        $payment = sendUntilAnswered('GET', "/v1/payments/{$payment['id']}?wait=25");
    }
    if ($payment['state'] === 'PENDING') {
        $payment = sendUntilAnswered('POST', "/v1/payments/{$payment['id']}/cancel")['payment'];
    }
    if ($payment['state'] === 'PENDING') {
        $why = $payment['silence']['detail'] ?? 'its bank does not report';
        throw new RuntimeException("payment {$payment['id']}: unknown whether it is paid: $why", 2);
    }
    return $payment;
}

if (!preg_match('/^\d{1,15}$/D', $argv[1] ?? '')) {
    fwrite(STDERR, "usage: php pay.php 12345 \"Apples, 2 kg\"\n");
    exit(3);
}
try {
    // A real till writes the key into its receipt before it asks: after a crash it sends the same again.
    $state = pay((int) $argv[1], $argv[2] ?? '', bin2hex(random_bytes(16)))['state'];
} catch (Throwable $problem) {
    fwrite(STDERR, $problem->getMessage() . "\n");
    exit($problem instanceof RuntimeException ? $problem->getCode() : 2);
}
echo "$state\n";
exit(['ACCEPTED' => 0, 'REJECTED' => 1, 'CANCELED' => 1, 'ERROR' => 1][$state] ?? 2); // of a static code nobody knows
