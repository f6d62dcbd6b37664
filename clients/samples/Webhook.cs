// Receives events of a lane (docs/events.md#webhooks), with nothing but .NET (Framework 4.5, Mono 6, .NET 6, or newer):
//
//   LANEWARE_WEBHOOK_SECRET=... Webhook.exe 8000
//
// Listens on this machine alone: what receives from a network stands behind TLS. Prints each event once.
// Built with: mcs -r:System.Runtime.Serialization Webhook.cs, or csc with the same reference.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

[DataContract]
public class EventPayment
{
    [DataMember(Name = "id")] public string Id;
}

// What an event says; other members are passed over.
[DataContract]
public class LaneEvent
{
    [DataMember(Name = "number")] public long Number;
    [DataMember(Name = "type")] public string Type;
    [DataMember(Name = "payment")] public EventPayment Payment;
}

public static class Webhook
{
    const long OldestS = 300; // an older call may be one that somebody has recorded
    static readonly byte[] Secret = Encoding.UTF8.GetBytes(Environment.GetEnvironmentVariable("LANEWARE_WEBHOOK_SECRET") ?? "");
    static readonly Regex Signature = new Regex(@"\At=(\d{1,12})((?:,v1=[0-9a-f]{64})+)\z");
    static readonly HashSet<long> Seen = new HashSet<long>(); // keep them where a restart finds them

    // In a time that tells nothing about where they differ.
    static bool AreEqual(string right, string signed)
    {
        var difference = 0;
        for (var i = 0; i < right.Length; i++) difference |= right[i] ^ signed[i];
        return difference == 0;
    }

    static bool IsOurs(string header, byte[] body)
    {
        var found = Signature.Match(header ?? "");
        if (!found.Success) return false;
        var now = (long)(DateTime.UtcNow - new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc)).TotalSeconds;
        if (Math.Abs(now - long.Parse(found.Groups[1].Value)) > OldestS) return false;
        using (var hmac = new HMACSHA256(Secret))
        {
            var said = Encoding.ASCII.GetBytes(found.Groups[1].Value + ".").Concat(body).ToArray();
            var right = BitConverter.ToString(hmac.ComputeHash(said)).Replace("-", "").ToLowerInvariant();
            var signed = found.Groups[2].Value.Substring(4).Split(new[] { ",v1=" }, StringSplitOptions.None);
            return signed.Count(each => AreEqual(right, each)) > 0;
        }
    }

    static int Answer(HttpListenerRequest request)
    {
        var body = new MemoryStream();
        request.InputStream.CopyTo(body);
        if (!IsOurs(request.Headers["Laneware-Signature"], body.ToArray())) return 403;
        body.Position = 0;
        var came = (LaneEvent)new DataContractJsonSerializer(typeof(LaneEvent)).ReadObject(body);
        if (came.Type != "test" && !Seen.Contains(came.Number))
        {
            Console.WriteLine(came.Type + " " + came.Payment.Id); // store it here, before the answer
            Seen.Add(came.Number);
        }
        return 204;
    }

    public static void Main(string[] args)
    {
        if (Secret.Length == 0) throw new InvalidOperationException("LANEWARE_WEBHOOK_SECRET is not set");
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + args[0] + "/");
        listener.Start();
        for (;;)
        {
            var context = listener.GetContext();
            try
            {
                context.Response.StatusCode = Answer(context.Request);
                context.Response.Close();
            }
            catch (Exception fault) // a caller that hangs up ends its own call alone; the lane sends what has no answer again
            {
                Console.Error.WriteLine(fault.Message);
                context.Response.Abort();
            }
        }
    }
}
