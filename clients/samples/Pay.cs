// Takes one payment through Laneware, with nothing but .NET (Framework 4.5, Mono 6, .NET 6, or newer):
//
//   Pay.exe 12345 "Apples, 2 kg"        amount in kopecks
//
// LANEWARE_URL is the lane (http://127.0.0.1:1234), LANEWARE_TOKEN the token of the till, where the lane asks for one.
// LANEWARE_WAIT_S seconds after its code is shown (420) an open payment is taken back: its bank has not reported on it.
// Ends with 0 when it is paid, 1 when it is not, 2 when it is unknown whether it is paid: then look at the payment before anything is sold again.
// Ends with 3 when it is called wrongly: nothing was asked then.
// Built with: mcs -r:System.Net.Http -r:System.Runtime.Serialization Pay.cs, or csc with the same references.
using System;
using System.Globalization;
using System.IO;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

[DataContract]
public class Sale
{
    [DataMember(Name = "amount")] public long Amount;
    [DataMember(Name = "purpose")] public string Purpose;
    [DataMember(Name = "ttl")] public int Ttl;
}

// Why a bank does not report on a payment.
[DataContract]
public class Silence
{
    [DataMember(Name = "detail")] public string Detail;
}

// What a call answers: a payment, or a problem with code and detail. Other members are passed over.
[DataContract]
public class Answer
{
    [DataMember(Name = "id")] public string Id;
    [DataMember(Name = "state")] public string State;
    [DataMember(Name = "code")] public string Code;
    [DataMember(Name = "detail")] public string Detail;
    [DataMember(Name = "repeat")] public bool? Repeat;
    [DataMember(Name = "silence")] public Silence Silence;
    public int Status;
}

// The sale has no end as it should: ExitCode is 1 where it is known that it is not paid, else 2.
public class NotPossible : Exception
{
    public readonly int ExitCode;
    public NotPossible(string message, int exitCode) : base(message) { ExitCode = exitCode; }
}

public static class Pay
{
    static readonly TimeSpan AnswerLimit = TimeSpan.FromSeconds(40);
    static readonly TimeSpan GiveUp = TimeSpan.FromSeconds(120);
    const int TtlMinutes = 5;
    static readonly HttpClient Lane = new HttpClient { Timeout = AnswerLimit };

    static string Json(object value)
    {
        using (var stream = new MemoryStream())
        {
            new DataContractJsonSerializer(value.GetType()).WriteObject(stream, value);
            return Encoding.UTF8.GetString(stream.ToArray());
        }
    }

    static async Task<Answer> Send(HttpMethod method, string path, string body, string key)
    {
        var address = (Environment.GetEnvironmentVariable("LANEWARE_URL") ?? "http://127.0.0.1:1234") + path;
        var token = Environment.GetEnvironmentVariable("LANEWARE_TOKEN");
        using (var request = new HttpRequestMessage(method, address))
        {
            if (body != null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
            if (key != null) request.Headers.Add("Idempotency-Key", key);
            if (token != null) request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
            using (var response = await Lane.SendAsync(request))
            using (var stream = await response.Content.ReadAsStreamAsync())
            {
                var answer = (Answer)new DataContractJsonSerializer(typeof(Answer)).ReadObject(stream);
                answer.Status = (int)response.StatusCode;
                return answer;
            }
        }
    }

    // No answer, 429 or 5xx passes, and says nothing of what was done: the same is sent again. Its key makes it the same payment.
    static async Task<Answer> SendUntilAnswered(HttpMethod method, string path, string body = null, string key = null)
    {
        var end = DateTime.UtcNow + GiveUp;
        while (true)
        {
            Answer answer;
            try { answer = await Send(method, path, body, key); }
            catch (HttpRequestException error) { answer = new Answer { Detail = error.Message }; }
            catch (TaskCanceledException) { answer = new Answer { Detail = "the lane does not answer" }; }
            catch (IOException error) { answer = new Answer { Detail = error.Message }; }
            catch (SerializationException error) { answer = new Answer { Detail = error.Message }; }
            if (answer.Status >= 200 && answer.Status < 300) return answer;
            var isUsedUp = answer.Repeat == false; // the key: its payment can no longer be paid
            var isPassing = answer.Status == 0 || answer.Status == 429 || answer.Status >= 500;
            if (isUsedUp || !isPassing || DateTime.UtcNow > end)
                throw new NotPossible((answer.Code ?? "no answer") + ": " + answer.Detail, isUsedUp ? 1 : 2);
            Thread.Sleep(1000);
        }
    }

    // The payment as it has ended. Amount in kopecks.
    public static async Task<Answer> Take(long amount, string purpose, string key)
    {
        var sale = Json(new Sale { Amount = amount, Purpose = purpose, Ttl = TtlMinutes });
        var payment = await SendUntilAnswered(HttpMethod.Post, "/v1/payments", sale, key);
        Console.WriteLine("payment " + payment.Id + ": the code is on the display");
        // the code's own time, a minute in which the customer may be confirming, and one for the bank
        var wait = Environment.GetEnvironmentVariable("LANEWARE_WAIT_S");
        var end = DateTime.UtcNow.AddSeconds(wait == null ? (TtlMinutes + 2) * 60 : int.Parse(wait));
        var path = "/v1/payments/" + payment.Id;
        while (payment.State == "PENDING" && DateTime.UtcNow < end)
            payment = await SendUntilAnswered(HttpMethod.Get, path + "?wait=25");
        if (payment.State == "PENDING")
        {
            await SendUntilAnswered(HttpMethod.Post, path + "/cancel");
            payment = await SendUntilAnswered(HttpMethod.Get, path);
        }
        if (payment.State == "PENDING")
        {
            var why = payment.Silence == null ? "its bank does not report" : payment.Silence.Detail;
            throw new NotPossible("payment " + payment.Id + ": unknown whether it is paid: " + why, 2);
        }
        return payment;
    }

    public static int Main(string[] args)
    {
        long amount;
        if (args.Length == 0 || !long.TryParse(args[0], NumberStyles.None, CultureInfo.InvariantCulture, out amount))
        {
            Console.Error.WriteLine("usage: Pay.exe 12345 \"Apples, 2 kg\"");
            return 3;
        }
        try
        {
            // A real till writes the key into its receipt before it asks: after a crash it sends the same again.
            var key = Guid.NewGuid().ToString();
            var state = Take(amount, args.Length > 1 ? args[1] : "", key).GetAwaiter().GetResult().State;
            Console.WriteLine(state);
            if (state == "ACCEPTED") return 0;
            return state == "REJECTED" || state == "CANCELED" || state == "ERROR" ? 1 : 2; // of a static code nobody knows
        }
        catch (Exception problem)
        {
            Console.Error.WriteLine(problem.Message);
            return problem is NotPossible ? ((NotPossible)problem).ExitCode : 2;
        }
    }
}
